"""The agents of bots in this process: how a compiled policy and a class are asked for a decision."""

from collections.abc import Callable, Mapping
from typing import Any

from arena.engine.bots import Agent, Bot
from arena.engine.faults import WROTE_BOARD, WROTE_STATE, BotFault, describe_answer, place_of, traceback_of
from arena.engine.loop import FAULT_ILLEGAL, FAULT_WRONG_TYPE
from arena.rules.actions import encode_action
from arena.rules.compiler import INTERPRETED


def policy_agent(table: Any, seat: int, policy: Callable[..., int]) -> Agent:
    """The agent of a compiled bot at a `GameTable`; BotFault if it wrote into the state or the board."""

    def decide(count: int) -> int:
        table.random_state[0] = table.random_states[seat]
        before = table.states.tobytes()
        try:
            code = int(policy(table.view, table.board, table.actions[:count], table.memory[seat], table.random_state))
        except BaseException as error:
            if INTERPRETED:  # compiled code does not tell
                table.place, table.traceback = place_of(error), traceback_of(error)
            raise
        finally:
            table.random_states[seat] = table.random_state[0]
            wrote_state = table.restore_state(before)
            if table.restore_board():
                raise BotFault(FAULT_ILLEGAL, WROTE_BOARD)
            if wrote_state:
                raise BotFault(FAULT_ILLEGAL, WROTE_STATE)
        return code

    return decide


def class_agent(table: Any, bot_class: type[Bot], parameters: Mapping[str, Any], seed: int) -> Agent:
    """The agent of a bot in Python; BotFault if it does not return an action."""
    bot: Bot | None = None
    view_of = table.view_of

    def decide(count: int) -> int:
        nonlocal bot
        try:
            if bot is None:  # at the first decision, so that a constructor that raises is a fault of its seat
                bot_class._seed = seed
                bot = bot_class(**parameters)
                bot._seed = seed
            action = bot.choose(view_of(count))
        except BaseException as error:
            table.place, table.traceback = place_of(error), traceback_of(error)
            raise
        try:
            return encode_action(action)
        except (TypeError, ValueError):
            raise BotFault(FAULT_WRONG_TYPE, f"returned {describe_answer(action)}") from None

    return decide

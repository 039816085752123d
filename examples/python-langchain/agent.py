"""A LangChain agent through the gateway: python agent.py <gateway> <model>, one question a line."""

import sys

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver


def read_file(path: str) -> str:
    """Read a text file."""
    with open(path, encoding="utf-8") as file:
        return file.read()


def main(gateway, model):
    thread = "python-langchain"
    chat = ChatOpenAI(
        model=model,
        base_url=f"{gateway}/v1",
        default_headers={"x-palimpsest-session": thread},
        stream_usage=True,
    )
    # The state keeps the whole history: what of it the model sees is for the gateway to say.
    agent = create_agent(chat, tools=[read_file], checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": thread}}
    for question in sys.stdin:
        messages = {"messages": [{"role": "user", "content": question.strip()}]}
        for chunk, _ in agent.stream(messages, config, stream_mode="messages"):
            if chunk.type == "AIMessageChunk":
                print(chunk.text, end="", flush=True)
        print()


main(*sys.argv[1:])

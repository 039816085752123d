"""A chat through the gateway: python chat.py openai|anthropic <gateway> <model>, one question a line."""

import sys

SESSION = {"x-palimpsest-session": "python-client"}


def ask_openai(gateway, model):
    from openai import OpenAI

    client = OpenAI(base_url=f"{gateway}/v1", default_headers=SESSION)

    def ask(messages):
        with client.chat.completions.create(model=model, messages=messages, stream=True) as stream:
            for chunk in stream:
                if chunk.choices:
                    yield chunk.choices[0].delta.content or ""

    return ask


def ask_anthropic(gateway, model):
    from anthropic import Anthropic

    client = Anthropic(base_url=gateway, default_headers=SESSION)

    def ask(messages):
        with client.messages.stream(model=model, max_tokens=1024, messages=messages) as stream:
            yield from stream.text_stream

    return ask


def main(api, gateway, model):
    ask = {"openai": ask_openai, "anthropic": ask_anthropic}[api](gateway, model)
    # The whole history, always: what of it the model sees is for the gateway to say.
    messages = []
    for question in sys.stdin:
        messages.append({"role": "user", "content": question.strip()})
        answer = ""
        for text in ask(messages):
            answer += text
            print(text, end="", flush=True)
        print()
        messages.append({"role": "assistant", "content": answer})


main(*sys.argv[1:])

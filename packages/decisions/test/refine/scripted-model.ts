import type { CompletionCall, CompletionModel } from '@palimpsest/core'
import type { SourceMessage } from '../../src/candidates/source-message.ts'
import { hashText } from '../../src/log/hash-text.ts'

/** A model that gives its answers in order, the last one for good, and remembers what it was asked. */
export function scriptedModel(
  ...answers: readonly unknown[]
): CompletionModel & { readonly calls: CompletionCall[] } {
  const calls: CompletionCall[] = []
  return {
    name: 'scripted',
    calls,
    async complete(call) {
      const answer = answers[Math.min(calls.length, answers.length - 1)]
      calls.push(call)
      if (answer instanceof Error) throw answer
      return { text: typeof answer === 'string' ? answer : JSON.stringify(answer), finishReason: 'stop' }
    },
  }
}

/** A conversation: the user's messages at even places, the assistant's at odd ones. */
export function turnsOf(...texts: readonly string[]): SourceMessage[] {
  return texts.map((text, message) => ({
    message,
    turn: 1 + (message >> 1),
    role: message % 2 === 0 ? 'user' : 'assistant',
    text,
    hash: hashText(text),
  }))
}

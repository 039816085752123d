import type { ChatModel, CompletionModel, ModelError } from '@palimpsest/core'
import { createGeminiChat, createGeminiCompletion, type GeminiOptions } from '../../src/index.ts'
import { fakeGemini, type RecordedRequest, type Reply } from './fake-gemini.ts'

/** A key that is easy to find in a message. Not one of Google's shapes, so that only knowing it can hide it. */
export const testKey = 'test-key-0123456789'

/** A completion model in front of the fake. */
export function completionWith(
  replies: Reply | Reply[],
  options: Partial<GeminiOptions> = {},
): { model: CompletionModel; requests: RecordedRequest[] } {
  const { fetch, requests } = fakeGemini(...[replies].flat())
  return {
    model: createGeminiCompletion({ model: 'gemini-2.5-flash', apiKey: testKey, fetch, ...options }),
    requests,
  }
}

/** A chat model in front of the fake. */
export function chatWith(
  replies: Reply | Reply[],
  options: Partial<GeminiOptions> = {},
): { model: ChatModel; requests: RecordedRequest[] } {
  const { fetch, requests } = fakeGemini(...[replies].flat())
  return {
    model: createGeminiChat({ model: 'gemini-3-flash', apiKey: testKey, fetch, ...options }),
    requests,
  }
}

/** The error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<ModelError> {
  return call.then(
    () => {
      throw new Error('the call did not fail')
    },
    (error: unknown) => error as ModelError,
  )
}

import type { ChatModel, CompletionModel } from '@palimpsest/core'
import { testKey } from '../../../provider-utils/test/support/fake-server.ts'
import { createGeminiChat, createGeminiCompletion, type GeminiOptions } from '../../src/index.ts'
import { fakeGemini, type RecordedRequest, type Reply } from './fake-gemini.ts'

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

import type { ChatModel, CompletionModel, ModelError } from '@palimpsest/core'
import { OpenAI } from 'openai'
import { createOpenAiChat, createOpenAiCompletion, type OpenAiOptions } from '../../src/index.ts'
import { fakeOpenAi, type RecordedRequest, type Reply } from './fake-openai.ts'

/** A key that is easy to find in a message. Not of a known shape, so that only knowing it can hide it. */
export const testKey = 'test-key-0123456789'

/** A server of somebody's own: what most of these tests talk to. */
export const localServer = 'http://localhost:11434/v1'

export interface ModelOptions extends Pick<OpenAiOptions, 'timeoutMs' | 'contextLength'> {
  readonly baseUrl?: string
  readonly maxRetries?: number
}

interface Recorded {
  readonly requests: RecordedRequest[]
}

/** The real SDK in front of the fake. */
function modelOptions(replies: Reply | Reply[], options: ModelOptions): OpenAiOptions & Recorded {
  const { baseUrl: baseURL = localServer, maxRetries = 0, ...others } = options
  const { fetch, requests } = fakeOpenAi(...[replies].flat())
  const client = new OpenAI({ apiKey: testKey, baseURL, fetch, maxRetries, logLevel: 'off' })
  return { model: 'm', client, ...others, requests }
}

export function chatWith(
  replies: Reply | Reply[],
  options: ModelOptions = {},
): { model: ChatModel } & Recorded {
  const { requests, ...rest } = modelOptions(replies, options)
  return { model: createOpenAiChat(rest), requests }
}

export function completionWith(
  replies: Reply | Reply[],
  options: ModelOptions = {},
): { model: CompletionModel } & Recorded {
  const { requests, ...rest } = modelOptions(replies, options)
  return { model: createOpenAiCompletion(rest), requests }
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

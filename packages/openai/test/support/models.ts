import type { ChatModel, CompletionModel } from '@palimpsest/core'
import { OpenAI } from 'openai'
import { testKey } from '../../../provider-utils/test/support/fake-server.ts'
import { createOpenAiChat, createOpenAiCompletion, type OpenAiOptions } from '../../src/index.ts'
import { fakeOpenAi, type RecordedRequest, type Reply } from './fake-openai.ts'

/** A server on this machine, which most of these tests talk to. */
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

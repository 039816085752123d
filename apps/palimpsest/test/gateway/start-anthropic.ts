import Anthropic from '@anthropic-ai/sdk'
import type { AnthropicBody } from './anthropic-fault.ts'
import { type AnthropicReply, startMockAnthropic } from './mock-anthropic.ts'
import { startTestGateway, type TestGatewayOptions } from './test-gateway.ts'

export const MODEL = 'claude-sonnet-5-5'
export const SYSTEM = 'You are a careful engineer. Answer briefly.'

export const READ: Anthropic.Tool = {
  name: 'read_file',
  description: 'Reads a file.',
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

/** A strict upstream, the gateway in front of it, and a real client of that. */
export async function startAnthropic(
  answer: (body: AnthropicBody) => AnthropicReply,
  options: Partial<TestGatewayOptions> & { readonly upstreamWindow?: number; readonly listed?: number } = {},
) {
  const { upstreamWindow: window, listed, ...rest } = options
  const upstream = await startMockAnthropic({
    answer,
    ...(window && { window }),
    ...(listed && { listed }),
  })
  const gateway = await startTestGateway({ baseUrl: upstream.baseUrl, ...rest })
  const baseURL = gateway.baseUrl.replace(/\/v1$/, '')
  const client = new Anthropic({ baseURL, apiKey: 'key-of-a-client', maxRetries: 0 })
  return { upstream, ...gateway, client }
}

import type Anthropic from '@anthropic-ai/sdk'
import {
  createContextSession,
  type EngineDefinition,
  type Message,
  type TokenCounter,
  type ToolSchema,
} from '@palimpsest/core'
import {
  createCachePlanner,
  findPricing,
  fromAnthropicResponse,
  openaiMessagesWire,
  toAnthropicRequest,
} from '../src/index.ts'

/** The examples of the README that need an SDK: checked by `tsc`, without a cast. */

interface Host {
  readonly client: Anthropic
  readonly engine: EngineDefinition<object>
  readonly tokens: TokenCounter
  readonly history: Message[]
  readonly tools: ToolSchema[]
}

export async function withSession({ client, engine, tokens, history, tools }: Host) {
  const model = 'claude-sonnet-5-5'
  const cache = createCachePlanner({ pricing: findPricing({ model }), tokens })
  const session = createContextSession({ engine, contextLength: 200_000, tokens, cache })

  const prepared = await session.prepare(history, { tools })
  const response = await client.messages.create({ model, max_tokens: 4096, ...toAnthropicRequest(prepared) })
  const message = fromAnthropicResponse(response)
  await session.observe({ message, usage: response.usage })
}

export async function withOtherWires({ engine, tokens, history }: Host) {
  const model = 'claude-sonnet-5-5'
  const pricing = findPricing({ model, route: 'openrouter' })
  const wire = openaiMessagesWire('openrouter')
  const cache = createCachePlanner({ pricing, tokens, wire })
  const session = createContextSession({ engine, contextLength: 200_000, tokens, cache })
  const { messages, tools, cache: plan } = await session.prepare(history)
  return wire.apply({ messages, tools }, plan)
}

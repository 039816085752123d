import type Anthropic from '@anthropic-ai/sdk'
import type { Content, GenerateContentConfig, GoogleGenAI, Tool } from '@google/genai'
import {
  createContextSession,
  type EngineDefinition,
  type Message,
  type TokenCounter,
  type ToolSchema,
} from '@palimpsest/core'
import { generateText, type LanguageModel, type ModelMessage, type ToolSet } from 'ai'
import {
  aiSdkWire,
  cacheWireOf,
  createCachePlanner,
  createRequestPlanner,
  findCaching,
  findPricing,
  fromAnthropicResponse,
  geminiWire,
  openaiMessagesWire,
  openaiWire,
  renderPing,
  splitForCache,
  toAnthropicRequest,
} from '../src/index.ts'

/** The examples of the README that need an SDK: checked by `tsc`, without a cast. */

interface Host {
  readonly client: Anthropic
  readonly engine: EngineDefinition<object>
  readonly tokens: TokenCounter
  readonly history: Message[]
  readonly tools: ToolSchema[]
  readonly lastRequest: Anthropic.MessageCreateParamsNonStreaming
}

export async function withSession({ client, engine, tokens, history, tools, lastRequest }: Host) {
  const model = 'claude-sonnet-5-5'
  const cache = createCachePlanner({ pricing: findPricing({ model }), tokens })
  const session = createContextSession({ engine, contextLength: 200_000, tokens, cache })

  const prepared = await session.prepare(history, { tools })
  const response = await client.messages.create({ model, max_tokens: 4096, ...toAnthropicRequest(prepared) })
  const message = fromAnthropicResponse(response)
  await session.observe({ message, usage: response.usage })

  const ping = cache.nextPing()
  if (ping !== null)
    setTimeout(async () => {
      await client.messages.create(renderPing(lastRequest))
      cache.pinged(ping)
    }, ping.at - Date.now())
}

export async function withOtherWires({ engine, tokens, history }: Host) {
  const model = 'claude-sonnet-5-5'
  const pricing = findPricing({ model, route: 'openrouter' })
  const wire = openaiMessagesWire('openrouter')
  const cache = createCachePlanner({ pricing, tokens, wire })
  const session = createContextSession({ engine, contextLength: 200_000, tokens, cache })
  const { messages, tools, cache: plan } = await session.prepare(history)
  const request = plan
    ? wire.apply({ messages, tools }, plan.anchors, plan.staticSystem)
    : { messages, tools }
  const openai = createCachePlanner({
    pricing: findPricing({ model: 'gpt-6.2-sol' }),
    tokens,
    wire: openaiWire,
  })
  return [request, openai, cacheWireOf(findCaching({ model }).wire)]
}

export async function withAiSdk(
  model: LanguageModel,
  messages: ModelMessage[],
  tools: ToolSet,
  tokens: TokenCounter,
) {
  const instructions = 'Be terse.'
  const pricing = findPricing({ model: 'claude-opus-5' })
  const planner = createRequestPlanner({ wire: aiSdkWire('anthropic'), pricing, tokens })
  await generateText({
    model,
    instructions,
    messages,
    tools,
    prepareStep: ({ messages }) => planner.mark({ messages, instructions, tools }).request,
    onStepEnd: ({ usage }) => console.log(planner.observe(usage).message),
  })
}

interface GeminiCall {
  readonly model: string
  readonly contents: Content[]
  readonly config?: Omit<GenerateContentConfig, 'tools'> & { tools?: Tool[] }
}

export async function withGemini(ai: GoogleGenAI, request: GeminiCall, tokens: TokenCounter) {
  const pricing = findPricing({ model: 'gemini-2.5-pro', route: 'gemini-explicit' })
  const planner = createRequestPlanner({ wire: geminiWire, pricing, tokens })
  let name: string | undefined

  const [anchor] = planner.plan(request).anchors
  if (anchor === undefined) return ai.models.generateContent(request)
  const { create, withCache } = splitForCache(request, anchor)
  if (anchor.reason !== 'sticky' || name === undefined) ({ name } = await ai.caches.create(create))
  return ai.models.generateContent(name === undefined ? request : withCache(name))
}

import type OpenAI from 'openai'
import {
  createCachePlanner,
  findPricing,
  type MessagesRequest,
  openaiMessagesWire,
  openaiWire,
  type RequestPlanner,
  type SessionCachePlanner,
  withPromptCacheKey,
} from '../../../src/index.ts'
import type { OpenAIRequest, PromptCacheOptions } from '../../../src/wire/openai/openai-wire.ts'

type Params = OpenAI.Chat.ChatCompletionCreateParams
type Sent = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming
type Part = NonNullable<OpenAI.Chat.ChatCompletionContentPartText['prompt_cache_breakpoint']>

/** True when a value of the one type can be used as the other. */
type IsAssignable<From, To> = [From] extends [To] ? true : false

/** Checked by `tsc`: a line below that is not `true` does not compile. */
export const assignable: {
  readonly anyRequest: IsAssignable<Params, OpenAIRequest>
  readonly request: IsAssignable<Sent, OpenAIRequest>
  readonly stream: IsAssignable<OpenAI.Chat.ChatCompletionCreateParamsStreaming, OpenAIRequest>
  readonly toGateways: IsAssignable<Params, MessagesRequest>
  readonly session: IsAssignable<MessagesRequest, OpenAIRequest>
  readonly ourOptions: IsAssignable<PromptCacheOptions, NonNullable<Params['prompt_cache_options']>>
  readonly theirOptions: IsAssignable<NonNullable<Params['prompt_cache_options']>, PromptCacheOptions>
  readonly ourBreakpoint: IsAssignable<{ readonly mode: 'explicit' }, Part>
} = {
  anyRequest: true,
  request: true,
  stream: true,
  toGateways: true,
  session: true,
  ourOptions: true,
  theirOptions: true,
  ourBreakpoint: true,
}

/** The same as code: to OpenAI, and with the same SDK to a gateway. */
export async function send(
  client: OpenAI,
  planner: RequestPlanner<OpenAIRequest>,
  gateway: RequestPlanner<MessagesRequest>,
  body: Sent,
  messages: OpenAI.ChatCompletionMessageParam[],
): Promise<unknown[]> {
  const { request } = planner.mark(body)
  const { request: routed } = gateway.mark({ model: 'anthropic/claude-sonnet-5-5', messages, temperature: 0 })
  const answers = [
    await client.chat.completions.create(withPromptCacheKey(request, 'session')),
    await client.chat.completions.create(routed),
    await client.chat.completions.create(openaiWire.apply(body, [])),
    await client.chat.completions.create(openaiMessagesWire('openrouter').strip(body)),
  ]
  return answers.map(({ usage }) => usage?.prompt_tokens)
}

/** The wire of a session. */
export function planner(): SessionCachePlanner {
  const tokens = { countText: () => 0, countMessage: () => 0, countTools: () => 0 }
  return createCachePlanner({ pricing: findPricing({ model: 'gpt-5.6' }), tokens, wire: openaiWire })
}

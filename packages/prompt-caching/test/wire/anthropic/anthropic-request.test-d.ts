import type Anthropic from '@anthropic-ai/sdk'
import { type RequestPlanner, renderPing, toAnthropicRequest } from '../../../src/index.ts'
import type { AnthropicBlock, AnthropicCacheControl } from '../../../src/wire/anthropic/anthropic-block.ts'
import type { AnthropicRequest } from '../../../src/wire/anthropic/anthropic-request.ts'
import { anthropicWire } from '../../../src/wire/anthropic/anthropic-wire.ts'
import type { AnthropicPrompt } from '../../../src/wire/anthropic/to-anthropic-request.ts'

type Params = Anthropic.MessageCreateParams
type Beta = Anthropic.Beta.Messages.MessageCreateParams

/** True when a value of the one type can be used as the other. */
type IsAssignable<From, To> = [From] extends [To] ? true : false

/** Checked by `tsc`: a line below that is not `true` does not compile. */
export const assignable: {
  readonly anyRequest: IsAssignable<Params, AnthropicRequest>
  readonly request: IsAssignable<Anthropic.MessageCreateParamsNonStreaming, AnthropicRequest>
  readonly stream: IsAssignable<Anthropic.MessageCreateParamsStreaming, AnthropicRequest>
  readonly beta: IsAssignable<Beta, AnthropicRequest>
  readonly ourPrompt: IsAssignable<AnthropicPrompt, Pick<Params, 'system' | 'tools' | 'messages'>>
  readonly ourBlock: IsAssignable<AnthropicBlock, Anthropic.ContentBlockParam>
  readonly ourMarker: IsAssignable<AnthropicCacheControl, Anthropic.CacheControlEphemeral>
  readonly theirMarker: IsAssignable<Anthropic.CacheControlEphemeral, AnthropicCacheControl>
} = {
  anyRequest: true,
  request: true,
  stream: true,
  beta: true,
  ourPrompt: true,
  ourBlock: true,
  ourMarker: true,
  theirMarker: true,
}

/** The same as code. */
export async function send(
  client: Anthropic,
  planner: RequestPlanner<AnthropicRequest>,
  body: Anthropic.MessageCreateParamsNonStreaming,
  beta: Anthropic.Beta.Messages.MessageCreateParamsNonStreaming,
): Promise<number[]> {
  const { request } = planner.mark(body)
  const written = planner.mark({
    model: 'claude-opus-5',
    max_tokens: 64,
    temperature: 0,
    tools: [{ name: 'ls', input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: 'Hello.' },
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }],
      },
    ],
  })
  const ours = toAnthropicRequest({ messages: [{ role: 'user', content: 'Hello.' }] })
  const answers = [
    await client.messages.create(request),
    await client.messages.create(written.request),
    await client.messages.create(anthropicWire.apply(body, [])),
    await client.messages.create(renderPing(request)),
    await client.messages.create(renderPing({ model: 'm', max_tokens: 64, ...ours })),
    await client.beta.messages.create(planner.mark(beta).request),
    await client.beta.messages.create(renderPing(beta)),
  ]
  for await (const _ of await client.messages.create({ ...request, stream: true }));
  return answers.map(({ usage }) => usage.input_tokens)
}

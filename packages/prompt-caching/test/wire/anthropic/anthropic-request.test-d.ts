import type Anthropic from '@anthropic-ai/sdk'
import { type RequestPlanner, toAnthropicRequest } from '../../../src/index.ts'
import type {
  AnthropicBlock,
  AnthropicPrompt,
  AnthropicRequest,
} from '../../../src/wire/anthropic/anthropic-types.ts'
import { anthropicWire } from '../../../src/wire/anthropic/anthropic-wire.ts'

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
} = {
  anyRequest: true,
  request: true,
  stream: true,
  beta: true,
  ourPrompt: true,
  ourBlock: true,
}

/** The same as code. */
export async function send(
  client: Anthropic,
  planner: RequestPlanner<AnthropicRequest>,
  body: Anthropic.MessageCreateParamsNonStreaming,
  beta: Anthropic.Beta.Messages.MessageCreateParamsNonStreaming,
): Promise<number[]> {
  const { request } = planner.mark(body)
  const ours = toAnthropicRequest({ messages: [{ role: 'user', content: 'Hello.' }] })
  const answers = [
    await client.messages.create(request),
    await client.messages.create(anthropicWire.apply(body, [])),
    await client.messages.create({ model: 'm', max_tokens: 64, ...ours }),
    await client.beta.messages.create(planner.mark(beta).request),
  ]
  for await (const _ of await client.messages.create({ ...request, stream: true }));
  return answers.map(({ usage }) => usage.input_tokens)
}

import type Anthropic from '@anthropic-ai/sdk'
import type { AnthropicBlock, AnthropicCacheControl } from '../../../src/wire/anthropic/anthropic-block.ts'
import type { AnthropicRequest } from '../../../src/wire/anthropic/anthropic-request.ts'

type Params = Anthropic.MessageCreateParams

/** True when a value of the one type can be used as the other. */
type IsAssignable<From, To> = [From] extends [To] ? true : false

/** Checked by `tsc`: a line below that is not `true` does not compile. */
export const assignable: {
  readonly oursToTheirs: IsAssignable<AnthropicRequest, Params>
  readonly theirsToOurs: IsAssignable<Params, AnthropicRequest>
  readonly theirStream: IsAssignable<Anthropic.MessageCreateParamsStreaming, AnthropicRequest>
  readonly ourBlock: IsAssignable<AnthropicBlock, Anthropic.ContentBlockParam>
  readonly theirBlock: IsAssignable<Anthropic.ContentBlockParam, AnthropicBlock>
  readonly theirAnswer: IsAssignable<Anthropic.ContentBlock, AnthropicBlock>
  readonly ourTools: IsAssignable<NonNullable<AnthropicRequest['tools']>, Anthropic.ToolUnion[]>
  readonly theirTools: IsAssignable<Anthropic.ToolUnion[], NonNullable<AnthropicRequest['tools']>>
  readonly ourMarker: IsAssignable<AnthropicCacheControl, Anthropic.CacheControlEphemeral>
  readonly theirMarker: IsAssignable<Anthropic.CacheControlEphemeral, AnthropicCacheControl>
} = {
  oursToTheirs: true,
  theirsToOurs: true,
  theirStream: true,
  ourBlock: true,
  theirBlock: true,
  theirAnswer: true,
  ourTools: true,
  theirTools: true,
  ourMarker: true,
  theirMarker: true,
}

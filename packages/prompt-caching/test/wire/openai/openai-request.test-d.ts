import type OpenAI from 'openai'
import type { OpenAIRequest, PromptCacheOptions } from '../../../src/wire/openai/openai-request.ts'

type Params = OpenAI.Chat.ChatCompletionCreateParams
type Sent = OpenAI.Chat.ChatCompletionCreateParamsNonStreaming
type Part = NonNullable<OpenAI.Chat.ChatCompletionContentPartText['prompt_cache_breakpoint']>

/** True when a value of the one type can be used as the other. */
type IsAssignable<From, To> = [From] extends [To] ? true : false

/** Checked by `tsc`: a line below that is not `true` does not compile. */
export const assignable: {
  readonly oursToTheirs: IsAssignable<OpenAIRequest, Params>
  readonly oursToWhatIsSent: IsAssignable<OpenAIRequest, Sent>
  readonly theirsToOurs: IsAssignable<Params, OpenAIRequest>
  readonly ourOptions: IsAssignable<PromptCacheOptions, NonNullable<Params['prompt_cache_options']>>
  readonly theirOptions: IsAssignable<NonNullable<Params['prompt_cache_options']>, PromptCacheOptions>
  readonly ourBreakpoint: IsAssignable<{ readonly mode: 'explicit' }, Part>
} = {
  oursToTheirs: true,
  oursToWhatIsSent: true,
  theirsToOurs: true,
  ourOptions: true,
  theirOptions: true,
  ourBreakpoint: true,
}

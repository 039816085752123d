import type { ChatModel, Clock, CompletionModel, TokenCounter } from '@palimpsest/core'
import type { FindCachingInput } from '@palimpsest/prompt-caching'
import type { Configuration } from '../../engines/configuration.ts'
import type { ViewHub } from '../../page/view-hub.ts'
import type { ServiceEngineFlags } from '../../serve/service-engine.ts'
import type { Confirm } from '../chat-agent.ts'

/** What a chat is made of. `findChatModel` answers with `model`, `summarizer` and `caching`. */
export interface ChatAgentInput {
  readonly configuration: Configuration
  /** What the command line says about the engine. `place`: where its store is, or what that lies beside. */
  readonly flags: ServiceEngineFlags
  /** Undefined: nothing but the assembled context answers. */
  readonly model: ChatModel | undefined
  /** Writes summaries and reads decisions for the engine. Default: done without a model. */
  readonly summarizer?: CompletionModel
  /** Which model is served where, for its cache and its prices. Default: not known. */
  readonly caching?: Pick<FindCachingInput, 'model' | 'provider' | 'baseUrl'>
  /** The model's window, in tokens. */
  readonly window: number
  /** The folder that tools work in. */
  readonly workspace: string
  /** The folder for records and stores: see `chatHome`. */
  readonly home: string
  /** The id of a session, or `latest` for the last one of this workspace. Default: a new session. */
  readonly resume?: string
  readonly confirm: Confirm
  /** Records the session for the page. Default: no page. */
  readonly hub?: ViewHub
  readonly tokens: TokenCounter
  readonly clock: Clock
}

import type { ChatModel, Clock, CompletionModel, TokenCounter } from '@palimpsest/core'
import type { Inspector } from '@palimpsest/inspector'
import type { Configuration } from '../../engines/configuration.ts'
import type { SummaryModel } from '../../models/find-summary-model.ts'
import type { PromptCacheInput } from '../../prompt-cache.ts'
import type { ServiceEngineFlags } from '../../serve/service-engine.ts'
import type { Confirm } from '../chat-agent.ts'

export interface ChatAgentInput {
  readonly configuration: Configuration
  /** The command line's part. `place`: where the engine's store is, or what that lies beside. */
  readonly flags: ServiceEngineFlags
  /** Undefined: nothing but the assembled context answers. */
  readonly model: ChatModel | undefined
  /** Reads decisions for the engine. Default: done without a model. */
  readonly reader?: CompletionModel
  /** Writes summaries for the engine. Default: done without a model. */
  readonly summaries?: Pick<SummaryModel, 'model' | 'line' | 'notices'>
  /** Which model is served where, for its cache and its prices. Default: not known. */
  readonly caching?: PromptCacheInput['caching']
  /** The model's window, in tokens. */
  readonly window: number
  /** The folder that tools work in. */
  readonly workspace: string
  /** The folder for records and stores: see `homeFolder`. */
  readonly home: string
  /** The id of a session, or `latest` for the last one of this workspace. Default: a new session. */
  readonly resume?: string
  readonly confirm: Confirm
  /** Records the session for the page. Default: no page. */
  readonly inspector?: Inspector
  readonly tokens: TokenCounter
  readonly clock: Clock
}

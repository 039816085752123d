import { markErrors, PalimpsestError } from '@palimpsest/core'

/** What a request may not have for its prompt to be kept alive without an answer. */
export type PingRule = 'structured-output' | 'forced-tool-choice' | 'enabled-thinking' | 'batch'

/** A prompt cannot be kept alive, because the API refuses such a request without output. Code `PING_IMPOSSIBLE`. */
export class PingImpossibleError extends PalimpsestError {
  static override readonly isInstance = markErrors<PingImpossibleError>(
    PingImpossibleError,
    'prompt-caching.ping-impossible',
  )

  readonly rule: PingRule

  constructor(rule: PingRule, message: string) {
    super('PING_IMPOSSIBLE', message)
    this.rule = rule
  }
}

/** A snapshot for people and dashboards. Serialisable. */
export interface EngineStatus {
  readonly name: string
  readonly lastPromptTokens: number
  readonly thresholdTokens: number
  readonly contextLength: number
  /** Fullness of the window, 0 to 100. */
  readonly usagePercent: number
  readonly compressionCount: number
  /** Other facts of the engine. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** A snapshot for people and dashboards. Serialisable. */
export interface EngineStatus {
  readonly name: string
  readonly lastPromptTokens: number
  readonly thresholdTokens: number
  readonly contextLength: number
  /** How full the window is, 0 to 100. */
  readonly usagePercent: number
  readonly compressionCount: number
  /** What else the engine wants to tell. */
  readonly details?: Readonly<Record<string, unknown>>
}

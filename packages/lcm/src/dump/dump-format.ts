export const DUMP_HEADER = { format: 'palimpsest-lcm', version: 1 } as const

/** The last line of an export: what the lines before it must add up to. */
export interface DumpManifest {
  readonly type: 'manifest'
  readonly sessions: number
  readonly messages: number
  readonly summaries: number
  /** Of all lines before this one in UTF-8, each with its newline, as 64 hexadecimal digits. */
  readonly sha256: string
}

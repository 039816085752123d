import type { ScopeFlags } from './choose-scope.ts'

export interface ExportFlags extends ScopeFlags {
  readonly format: 'json' | 'madr'
  readonly out?: string
  /** Replace files that are there, whoever wrote them. */
  readonly force?: boolean
  /** For records: settings and proposals too. */
  readonly all?: boolean
}

import type { TokenKind } from '../../../src/view/session-view.ts'
import type { SchemeColor } from '../ui/kind-colors.ts'

/**
 * The colours of `tokenKindColors`, as areas wear them: what fills most of a chart is quiet, what an engine wrote stands
 * out. Neighbours in a prompt differ in lightness, for eyes that do not tell the hues apart.
 */
export const kindFills: Readonly<Record<TokenKind, SchemeColor>> = {
  tools: { light: '#a3abb5', dark: '#5d6670' },
  system: { light: '#2f66b3', dark: '#5b93dc' },
  decisions: { light: '#e0702a', dark: '#f0a35e' },
  summaries: { light: '#a8409e', dark: '#d08cc9' },
  head: { light: '#35a98e', dark: '#2aa583' },
  tail: { light: '#e2d3a4', dark: '#857747' },
}

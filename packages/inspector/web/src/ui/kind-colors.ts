import type { TokenKind, ViewMessage } from '../../../src/view/session-view.ts'

/** One colour in both schemes; each has a contrast of 4.5 and more with the page, so that text may wear it. */
export interface SchemeColor {
  readonly light: string
  readonly dark: string
}

/** The parts of a prompt. Neighbours differ in lightness too, so that they stay apart with any colour deficiency. */
export const tokenKindColors: Readonly<Record<TokenKind, SchemeColor>> = {
  tools: { light: '#6b7280', dark: '#8d98a2' },
  system: { light: '#0a3a78', dark: '#6aa5f2' },
  decisions: { light: '#bd4300', dark: '#e8893a' },
  summaries: { light: '#a8289e', dark: '#eebfea' },
  head: { light: '#00806a', dark: '#1fc48c' },
  tail: { light: '#5c4a00', dark: '#f5d042' },
}

/** Names of the parts, for people. */
export const tokenKindLabels: Readonly<Record<TokenKind, string>> = {
  tools: 'Tools',
  system: 'System',
  decisions: 'Decisions',
  summaries: 'Summaries',
  head: 'Head',
  tail: 'Tail',
}

export const tokenKindMeanings: Readonly<Record<TokenKind, string>> = {
  tools: 'The tools that the model may call, those of the engine included.',
  system: 'The system prompt of the host.',
  decisions: 'What the engine noted of decisions that were made.',
  summaries: 'Summaries that stand for older messages.',
  head: 'The first messages of the session, kept as they were said.',
  tail: 'The newest messages, as they were said; before a compaction that is all of them.',
}

const roleColors: Readonly<Record<ViewMessage['role'], SchemeColor>> = {
  system: tokenKindColors.system,
  developer: tokenKindColors.system,
  user: { light: '#1a1b1e', dark: '#ffffff' },
  assistant: { light: '#0b6478', dark: '#66c7dc' },
  tool: tokenKindColors.tools,
}

export function messageColor(message: Pick<ViewMessage, 'role' | 'kind'>): SchemeColor {
  if (message.kind === 'decisions') return tokenKindColors.decisions
  if (message.kind === 'summary') return tokenKindColors.summaries
  return roleColors[message.role]
}

export function cssColor(color: SchemeColor): string {
  return `light-dark(${color.light}, ${color.dark})`
}

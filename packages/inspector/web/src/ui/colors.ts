import type { TokenKind, ViewMessage } from '../../../src/view/session-view.ts'

/** One colour in both schemes; each has a contrast of 4.5 and more with the page, so that text may wear it. */
export interface SchemeColor {
  readonly light: string
  readonly dark: string
}

/** The parts of a prompt. Neighbours differ in lightness too, so that they stay apart with any colour deficiency. */
const tokenKindColors: Readonly<Record<TokenKind, SchemeColor>> = {
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

type CachePart = 'read' | 'written' | 'uncached'

export const CACHE_PARTS: readonly CachePart[] = ['read', 'written', 'uncached']

export const cacheLabels: Readonly<Record<CachePart, string>> = {
  read: 'Cache read',
  written: 'Cache written',
  uncached: 'Uncached',
}

/** Colours of areas: quiet, except for what an engine wrote. Neighbours in a prompt differ in lightness. */
export const kindFills: Readonly<Record<TokenKind, SchemeColor>> = {
  tools: { light: '#a3abb5', dark: '#5d6670' },
  system: { light: '#2f66b3', dark: '#5b93dc' },
  decisions: { light: '#e0702a', dark: '#f0a35e' },
  summaries: { light: '#a8409e', dark: '#d08cc9' },
  head: { light: '#35a98e', dark: '#2aa583' },
  tail: { light: '#e2d3a4', dark: '#857747' },
}

const FIRST: SchemeColor = { light: '#2b4fc4', dark: '#8fa8ff' }
const OTHERS: readonly SchemeColor[] = [
  { light: '#d9730d', dark: '#f5b04c' },
  { light: '#0b7d69', dark: '#35c7a5' },
  { light: '#a8289e', dark: '#e3a0dc' },
]

/** Of sessions that are compared, by their place: neighbours are apart in hue and in lightness. */
export const sideColor = (place: number): SchemeColor =>
  place === 0 ? FIRST : (OTHERS[(place - 1) % OTHERS.length] ?? FIRST)

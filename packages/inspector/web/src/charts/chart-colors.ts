import type { TokenKind } from '../../../src/view/session-view.ts'
import type { SchemeColor } from '../ui/kind-colors.ts'

export type CachePart = 'read' | 'written' | 'uncached'

export const CACHE_PARTS: readonly CachePart[] = ['read', 'written', 'uncached']

export const cacheColors: Readonly<Record<CachePart, SchemeColor>> = {
  read: { light: '#b5cde8', dark: '#33506f' },
  written: { light: '#5b8fc9', dark: '#6d9fd8' },
  uncached: { light: '#c2410c', dark: '#f08c4b' },
}

export const cacheLabels: Readonly<Record<CachePart, string>> = {
  read: 'Cache read',
  written: 'Cache written',
  uncached: 'Uncached',
}

/** `tokenKindColors` as areas wear them: quiet, except for what an engine wrote. Neighbours in a prompt differ in lightness. */
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

import type { SchemeColor } from '../ui/kind-colors.ts'

/** What a cache does with a part of a prompt. */
export type CachePart = 'read' | 'written' | 'uncached'

/** In the order in which they stand in a prompt. */
export const CACHE_PARTS: readonly CachePart[] = ['read', 'written', 'uncached']

/** The cheap part is pale, the dear one is strong. */
export const cacheColors: Readonly<Record<CachePart, SchemeColor>> = {
  read: { light: '#b5cde8', dark: '#33506f' },
  written: { light: '#5b8fc9', dark: '#6d9fd8' },
  uncached: { light: '#c2410c', dark: '#f08c4b' },
}

/** How people call them. */
export const cacheLabels: Readonly<Record<CachePart, string>> = {
  read: 'Cache read',
  written: 'Cache written',
  uncached: 'Uncached',
}

import { useComputedColorScheme } from '@mantine/core'
import { useMemo } from 'react'
import type { TokenKind } from '../../../src/view/session-view.ts'
import type { SchemeColor } from '../ui/kind-colors.ts'
import { type CachePart, cacheColors, kindFills, sideColor } from './chart-colors.ts'

export interface ChartInk {
  readonly text: string
  readonly line: string
  readonly panel: string
  readonly strong: string
  readonly kinds: Readonly<Record<TokenKind, string>>
  readonly cache: Readonly<Record<CachePart, string>>
  /** Of a session that is compared, by its place. */
  readonly side: (place: number) => string
}

export function useChartInk(): ChartInk {
  const scheme = useComputedColorScheme('light')
  return useMemo(() => {
    const pick = (color: SchemeColor) => color[scheme]
    return {
      text: pick({ light: '#5c636e', dark: '#9aa0aa' }),
      line: pick({ light: '#e3e5ea', dark: '#2d323a' }),
      panel: pick({ light: '#ffffff', dark: '#22262d' }),
      strong: pick({ light: '#14161a', dark: '#f2f3f5' }),
      kinds: {
        tools: pick(kindFills.tools),
        system: pick(kindFills.system),
        decisions: pick(kindFills.decisions),
        summaries: pick(kindFills.summaries),
        head: pick(kindFills.head),
        tail: pick(kindFills.tail),
      },
      cache: {
        read: pick(cacheColors.read),
        written: pick(cacheColors.written),
        uncached: pick(cacheColors.uncached),
      },
      side: (place) => pick(sideColor(place)),
    }
  }, [scheme])
}

import { useComputedColorScheme } from '@mantine/core'
import { useMemo } from 'react'
import { cacheColors, kindFills, type SchemeColor, sideColor } from '../ui/colors.ts'

/** The colours of a chart in the page's scheme: a canvas knows no CSS. */
export type ChartInk = ReturnType<typeof useChartInk>

export function useChartInk() {
  const scheme = useComputedColorScheme('light')
  return useMemo(() => {
    const pick = (color: SchemeColor) => color[scheme]
    const pickAll = <Name extends string>(colors: Readonly<Record<Name, SchemeColor>>) =>
      Object.fromEntries(
        Object.entries<SchemeColor>(colors).map(([name, color]) => [name, pick(color)]),
      ) as Record<Name, string>
    return {
      text: pick({ light: '#5c636e', dark: '#9aa0aa' }),
      line: pick({ light: '#e3e5ea', dark: '#2d323a' }),
      panel: pick({ light: '#ffffff', dark: '#22262d' }),
      strong: pick({ light: '#14161a', dark: '#f2f3f5' }),
      kinds: pickAll(kindFills),
      cache: pickAll(cacheColors),
      /** Of a session that is compared, by its place. */
      side: (place: number) => pick(sideColor(place)),
    }
  }, [scheme])
}

import type { EChartsOption } from 'echarts'
import type { ArmFacts } from '../bench-report.ts'

/** Colours of what is not data. The page that a picture is put into may replace them by its own. */
export const INK = '#1f2328'
export const PAPER = '#ffffff'
export const FAINT = '#d0d7de'

/**
 * Okabe and Ito's palette without its black and its yellow, which are hard to see on dark and on light paper: told apart
 * with any kind of colour vision. https://jfly.uni-koeln.de/color/
 */
export const PALETTE = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7'] as const

/** From little to much, in one hue, for cells with a number in them; the number's colour, on dark paper too. */
export const SHADES = ['#f0f6fc', '#9ecae1', '#4a98c9'] as const
export const ON_SHADES = '#000000'

const GREYS = ['#59636e', '#818b98', '#afb8c1'] as const

/** How a line looks. */
export interface LineStyle {
  readonly color: string
  /** As ECharts calls it. */
  readonly symbol: string
  readonly line: 'solid' | 'dashed' | 'dotted'
}

const STAR = 'path://M0,-10L3,-3L10,-3L4,2L6,9L0,5L-6,9L-4,2L-10,-3L-3,-3Z'
const SHAPES = ['circle', 'rect', 'triangle', 'diamond', STAR] as const
const HOLLOW = ['emptyCircle', 'emptyRect', 'emptyTriangle', 'emptyDiamond'] as const

/** Engines are filled and solid, peers hollow and dashed, bounds grey and dotted: colour is never all that tells. */
const STYLES = {
  engine: { colors: PALETTE, symbols: SHAPES, line: 'solid' },
  peer: { colors: PALETTE, symbols: HOLLOW, line: 'dashed' },
  bound: { colors: GREYS, symbols: SHAPES, line: 'dotted' },
} as const

/** How an arm looks in every picture. */
export function armStyle(arms: readonly ArmFacts[], name: string): LineStyle {
  const kind = arms.find((arm) => arm.name === name)?.kind ?? 'engine'
  const index = arms.filter((arm) => arm.kind === kind).findIndex((arm) => arm.name === name)
  const { colors, symbols, line } = STYLES[kind]
  return { color: pick(colors, index), symbol: pick(symbols, index), line }
}

/** How the line of something that is no arm looks. */
export function lineStyle(index: number): LineStyle {
  const symbols = [...SHAPES, ...HOLLOW]
  return { color: pick(PALETTE, index), symbol: pick(symbols, index), line: 'solid' }
}

const pick = (values: readonly string[], index: number): string => values[index % values.length] ?? INK

const TEXT = { color: INK, fontSize: 12 }

/** What all pictures have in common: paper, ink and no movement. */
export const BASE: EChartsOption = {
  animation: false,
  backgroundColor: PAPER,
  textStyle: TEXT,
}

/** A legend above the picture. */
export const legend = (names: readonly string[]) => ({
  data: [...names],
  top: 8,
  left: 'center',
  itemGap: 22,
  textStyle: TEXT,
})

/** An axis whose name stands in its middle, outside. */
export function axis(name: string, nameGap: number) {
  return {
    name,
    nameLocation: 'middle' as const,
    nameGap,
    nameTextStyle: TEXT,
    axisLabel: TEXT,
    axisLine: { lineStyle: { color: INK } },
    splitLine: { lineStyle: { color: FAINT } },
  }
}

import type { SchemeColor } from '../ui/kind-colors.ts'

const FIRST: SchemeColor = { light: '#2b4fc4', dark: '#8fa8ff' }
const OTHERS: readonly SchemeColor[] = [
  { light: '#d9730d', dark: '#f5b04c' },
  { light: '#0b7d69', dark: '#35c7a5' },
  { light: '#a8289e', dark: '#e3a0dc' },
]

/** Of sessions that are compared, by their place: neighbours are apart in hue and in lightness. */
export const sideColor = (place: number): SchemeColor =>
  place === 0 ? FIRST : (OTHERS[(place - 1) % OTHERS.length] ?? FIRST)

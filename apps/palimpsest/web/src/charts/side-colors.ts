import type { SchemeColor } from '../ui/kind-colors.ts'

/** Which of the two sessions: apart in hue and in lightness. */
export const sideColors: Readonly<Record<'left' | 'right', SchemeColor>> = {
  left: { light: '#2b4fc4', dark: '#8fa8ff' },
  right: { light: '#d9730d', dark: '#f5b04c' },
}

import { type Component, truncateToWidth } from '@earendil-works/pi-tui'
import { safeStart } from './safe-text.ts'
import type { ChatTheme } from './theme.ts'

/** How much of a tool's result is shown. */
const PREVIEW = { lines: 3, characters: 600 }

/** The beginning of a tool's result, a line each. */
export class ToolPreview implements Component {
  private readonly theme: ChatTheme
  private readonly lines: readonly string[]

  constructor(theme: ChatTheme, result: string) {
    this.theme = theme
    const { lines, more } = safeStart(result.trimEnd(), PREVIEW)
    this.lines = [...lines.filter((line) => line.trim() !== ''), ...(more === undefined ? [] : [more])]
  }

  render(width: number): string[] {
    return this.lines.map((line) => this.theme.dim(truncateToWidth(`  ${line}`, width, '…')))
  }

  invalidate(): void {}
}

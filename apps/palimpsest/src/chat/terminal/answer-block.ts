import { type Component, Markdown } from '@earendil-works/pi-tui'
import { safeText } from './safe-text.ts'
import type { ChatTheme } from './theme.ts'

/** An answer that grows while the model writes it, as Markdown. */
export class AnswerBlock implements Component {
  private text = ''
  private isStale = false
  private readonly markdown: Markdown

  constructor(theme: ChatTheme) {
    // A dollar sign in what a coding agent says is hardly ever mathematics.
    const options = { renderLatex: false, preserveOrderedListMarkers: true, preserveBackslashEscapes: true }
    this.markdown = new Markdown('', 0, 0, theme.markdown, undefined, options)
  }

  append(text: string): void {
    this.text += text
    this.isStale = true
  }

  render(width: number): string[] {
    // Made safe as a whole and once a frame: a piece may end within a character.
    if (this.isStale) this.markdown.setText(safeText(this.text))
    this.isStale = false
    return this.markdown.render(width)
  }

  invalidate(): void {
    this.markdown.invalidate()
  }
}

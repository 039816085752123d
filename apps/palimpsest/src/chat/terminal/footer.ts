import { type Component, truncateToWidth, visibleWidth } from '@earendil-works/pi-tui'
import { count } from '../../count.ts'
import type { ChatCosts, ChatStatus } from '../chat-agent.ts'
import { dollars } from './dollars.ts'
import { safeLine } from './safe-text.ts'
import type { ChatTheme } from './theme.ts'

const SEPARATOR = ' · '

/** One line below the prompt: tokens, cost, session; what does not fit is left out. */
export class Footer implements Component {
  private readonly theme: ChatTheme
  private parts: readonly string[] = []

  constructor(theme: ChatTheme) {
    this.theme = theme
  }

  update({ promptTokens, threshold, window, id }: ChatStatus, { usd }: ChatCosts): void {
    this.parts = [
      `${count(promptTokens)} tokens`,
      `compacts at ${count(threshold)}`,
      `window ${count(window)}`,
      ...(usd === null ? [] : [dollars(usd)]),
      `session ${safeLine(id)}`,
    ]
  }

  render(width: number): string[] {
    let line = ''
    for (const part of this.parts) {
      const longer = line === '' ? part : `${line}${SEPARATOR}${part}`
      if (visibleWidth(longer) <= width) line = longer
    }
    return [this.theme.dim(truncateToWidth(line, width, ''))]
  }

  invalidate(): void {}
}

import { type Component, type KeyId, matchesKey, SelectList, truncateToWidth } from '@earendil-works/pi-tui'
import type { Choice } from '../commands/chat-command.ts'
import { safeLine } from './safe-text.ts'
import type { ChatTheme } from './theme.ts'

/**
 * The time for which a list takes no answers after it opened, in milliseconds: a key that was meant for the text that a
 * person was writing must not allow a command.
 */
export const GRACE_MS = 400
/** Choices that are seen at once, where there is room. */
const VISIBLE = 8
/** A question with so few answers shows all of them, rather than itself. */
const FEW = 3

export interface ChoiceDialogInput {
  readonly title: string
  readonly choices: readonly Choice[]
  /** Where it begins. Default: the first. */
  readonly current?: string | undefined
  /** Keys that choose at once. */
  readonly keys?: readonly { readonly key: KeyId; readonly value: string }[]
  readonly now: () => number
  /** Of the screen. */
  readonly rows: number
  /** Undefined: none of them, by Esc or Ctrl-C. */
  readonly onEnd: (value: string | undefined) => void
}

/** A question and a list of answers. */
export class ChoiceDialog implements Component {
  private readonly theme: ChatTheme
  private readonly input: ChoiceDialogInput
  private readonly list: SelectList
  private readonly openedAt: number

  constructor(theme: ChatTheme, input: ChoiceDialogInput) {
    this.theme = theme
    this.input = input
    this.openedAt = input.now()
    const items = input.choices.map(({ value, label, hint }) => ({
      value,
      label: safeLine(label),
      ...(hint !== undefined && { description: safeLine(hint) }),
    }))
    const layout = { minPrimaryColumnWidth: 12, maxPrimaryColumnWidth: 40 }
    this.list = new SelectList(items, visible(items.length, input.rows), theme.list, layout)
    this.list.setSelectedIndex(
      Math.max(
        0,
        items.findIndex(({ value }) => value === input.current),
      ),
    )
    this.list.onSelect = ({ value }) => input.onEnd(value)
  }

  handleInput(data: string): void {
    const { keys = [], now, onEnd } = this.input
    const isNone = matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')
    if (!isNone && now() - this.openedAt < GRACE_MS) return
    const chosen = keys.find(({ key }) => matchesKey(data, key))
    if (isNone) onEnd(undefined)
    else if (chosen !== undefined) onEnd(chosen.value)
    else this.list.handleInput(data)
  }

  render(width: number): string[] {
    const title = this.theme.bold(truncateToWidth(safeLine(this.input.title), width, '…'))
    return [title, ...this.list.render(width).map((line) => truncateToWidth(line, width, ''))]
  }

  invalidate(): void {
    this.list.invalidate()
  }
}

/** Choices at once, next to the title, the position in the list, and the footer with a line above it. */
function visible(choices: number, rows: number): number {
  return choices <= FEW ? FEW : Math.max(1, Math.min(VISIBLE, rows - 4))
}

import { isHoldingLine } from './decision-line.ts'
import type { Entry } from './entry.ts'
import type { EntryList } from './entry-list.ts'
import type { RenderedBlock } from './rendered-block.ts'

/** The decisions of a log that a reader has seen, and their changes since. A look costs what has changed since the last one. */
export class Shown {
  /** Number of times that something was added. */
  version = 0
  readonly onRecord: RenderedBlock['onRecord']
  readonly #lines: Map<string, string>
  /** The list that was read, and how many of its changes. */
  #list: EntryList | undefined
  #read = 0
  /** Of what was read: entries that may be news, decisions whose lines may mislead, and those that are not on record any more. */
  readonly #news = new Set<Entry>()
  readonly #doubts = new Set<string>()
  #gone: readonly string[] = []

  /** `lines`: the line of each decision by its id; empty for one that is on record by its identifier or a count only. */
  constructor({ lines, onRecord }: Pick<RenderedBlock, 'lines' | 'onRecord'>) {
    this.#lines = new Map(lines)
    this.onRecord = onRecord
  }

  /** The line of a decision: empty when only its identifier or a count told of it, undefined when nothing did. */
  of(id: string): string | undefined {
    const { entries, version = 0 } = this.onRecord ?? {}
    return this.#lines.get(id) ?? (entries?.heldAt(id, version) ? '' : undefined)
  }

  get lines(): ReadonlyMap<string, string> {
    return this.#lines
  }

  /** The reader has seen more. */
  add(lines: ReadonlyMap<string, string>): void {
    this.version++
    for (const [id, line] of lines) {
      this.#lines.set(id, line)
      this.#doubts.add(id)
    }
  }

  /** Entries that are new or changed, in no order. */
  news(list: EntryList): readonly Entry[] {
    this.#readOn(list)
    for (const entry of this.#news) if (!list.has(entry) || !this.isNews(entry)) this.#news.delete(entry)
    return [...this.#news]
  }

  /** New, or shown with another line. Proposals, and what ended unseen, are no news. */
  isNews({ standing, decisions, l0 }: Entry): boolean {
    const line = this.of(decisions[0].id)
    // Most of them: one decision that was shown with this very line, or only counted.
    if (decisions.length === 1 && (line === l0 || line === '')) return false
    const seen = decisions.map(({ id }) => this.of(id))
    const isChanged = seen.some(
      (known) => known !== undefined && known !== '' && known.split('\n', 1)[0] !== l0,
    )
    if (standing === 'proposed' || standing === 'ended') return isChanged
    return isChanged || seen.includes(undefined)
  }

  /**
   * True when something that was shown as holding no longer does: it was superseded, given up or taken back since, or it is
   * contested by now. A line that was shown as proposed, contested or over does not mislead.
   */
  misleads(list: EntryList): boolean {
    this.#readOn(list)
    for (const id of this.#doubts) {
      const line = this.#lines.get(id)
      if (line !== undefined && list.of(id)?.standing !== 'holding' && isHoldingLine(line)) return true
      this.#doubts.delete(id)
    }
    return false
  }

  /** Ids of decisions that were shown and are not on record any more, because the host took its messages back. */
  takenBack(list: EntryList): readonly string[] {
    this.#readOn(list)
    return this.#gone
  }

  #readOn(list: EntryList): void {
    if (this.#list !== list) {
      // Nothing was news to the block that was shown.
      const isFirst = this.#list === undefined && this.onRecord?.entries === list
      this.#read = isFirst ? (this.onRecord?.changes ?? 0) : 0
      this.#list = list
      this.#news.clear()
      for (const id of this.#lines.keys()) this.#doubts.add(id)
      this.#gone = [...this.#lines].flatMap(([id, line]) => (line === '' || list.knows(id) ? [] : id))
    }
    for (const entry of list.changes.slice(this.#read)) {
      this.#news.add(entry)
      for (const { id } of entry.decisions) this.#doubts.add(id)
    }
    this.#read = list.changes.length
  }
}

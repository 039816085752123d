import { isContested } from '../log/decision.ts'
import type { DecisionSet } from '../log/decision-set.ts'
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
  /** Entries that may be news, of those of a list that were made up to a place. */
  readonly #news = { list: undefined as EntryList | undefined, read: 0, entries: new Set<Entry>() }
  /** Decisions whose lines may mislead, and the changes of the log that were looked at. */
  readonly #doubts = { changes: undefined as DecisionSet['changes'], read: 0, ids: new Set<string>() }
  #gone: { readonly changes: DecisionSet['changes']; readonly ids: readonly string[] } | undefined

  /** `lines`: the line of each decision by its id; empty for one that is on record by its identifier or a count only. */
  constructor({ lines, onRecord }: Pick<RenderedBlock, 'lines' | 'onRecord'>) {
    this.#lines = new Map(lines)
    this.#doubts.ids = new Set(lines.keys())
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
      this.#doubts.ids.add(id)
    }
  }

  /** Entries that are new or changed, in no order. */
  news(list: EntryList): readonly Entry[] {
    const news = this.#news
    if (news.list === undefined && this.onRecord?.entries === list) {
      // Nothing was news to the block that was shown.
      news.list = list
      news.read = this.onRecord.made
    }
    const goesOn = news.list === list
    const made = goesOn ? list.made.slice(news.read) : list.all
    const open = new Set([...(goesOn ? news.entries : []), ...made])
    for (const entry of open) if (!list.has(entry) || !this.isNews(entry)) open.delete(entry)
    this.#news.list = list
    this.#news.read = list.made.length
    this.#news.entries = open
    return [...open]
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
  misleads(decisions: DecisionSet): boolean {
    const doubts = this.#doubts
    const { changes } = decisions
    const goesOn = changes !== undefined && doubts.changes === changes
    for (const id of goesOn ? changes.slice(doubts.read) : this.#lines.keys()) doubts.ids.add(id)
    doubts.changes = changes
    doubts.read = changes?.length ?? 0
    for (const id of doubts.ids) {
      const line = this.#lines.get(id)
      const decision = decisions.get(id)
      const holds = decision?.status === 'active' && !isContested(decision)
      if (line !== undefined && !holds && isHoldingLine(line)) return true
      doubts.ids.delete(id)
    }
    return false
  }

  /** Ids of decisions that were shown and are not on record any more, because the host took its messages back. */
  takenBack(decisions: DecisionSet): readonly string[] {
    const { changes } = decisions
    const isGone = (id: string) => this.#lines.get(id) !== '' && decisions.get(id) === undefined
    const isKnown = changes !== undefined && this.#gone?.changes === changes
    const ids = (isKnown ? (this.#gone?.ids ?? []) : [...this.#lines.keys()]).filter(isGone)
    this.#gone = { changes, ids }
    return ids
  }
}

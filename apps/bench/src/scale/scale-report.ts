import type { Machine } from '../report/machine.ts'
import type { Timing } from '../speed/time.ts'

/** Times with what a median does not show: the seldom and expensive, such as the merging of an index's newest entries. */
export interface Spread extends Timing {
  readonly mean: number
  readonly p95: number
}

/** What turns of an agent cost in a store of one size. Times in milliseconds. */
export interface TurnFigures {
  /** Messages in the store. */
  readonly messages: number
  /** Messages of a turn, on average. */
  readonly length: number
  /** Turns without a compaction: everything that session, engine and store do. */
  readonly turn: Spread
  /** Of that, waiting for answers of the server. */
  readonly waited: Spread
  /** The rows of a turn by plain statements, in one transaction. */
  readonly floor: Spread
  /** Turns with a compaction; its summariser answers at once. */
  readonly compacting: Spread
  /** Going on with a session that another worker had: until its first request can be sent. */
  readonly pickUp: Spread
  /** Median of ways to the server and back, and of transactions. */
  readonly trips: number
  readonly transactions: number
  readonly pickUpTrips: number
  /** Bytes of the write-ahead log, on average. */
  readonly logged: number
  readonly floorLogged: number
}

/** A search, and the same as one writes it in SQL. */
export interface GrepFigures {
  readonly messages: number
  /** Sessions that are searched. */
  readonly sessions: number
  readonly what: string
  readonly measured: Timing
  readonly floor: Timing
  readonly trips: number
  /** Hits of one page. */
  readonly hits: number
  /** Pages of 8 KB that the raw query touches. */
  readonly pages: number
}

/** Workers that append turns at the same time. */
export interface WorkerFigures {
  readonly workers: number
  readonly on: 'a session each' | 'the same session'
  /** Turns a second, median of the rounds. */
  readonly turns: number
  readonly floor: number
  /** Messages that were to be written, and that are there once and no more. */
  readonly written: number
  readonly found: number
  readonly conflicts: number
  readonly rounds: number
}

/** A table or an index. */
export interface RelationSize {
  readonly name: string
  readonly kind: 'rows' | 'long values' | 'index'
  readonly bytes: number
  /** Of a table. */
  readonly rows?: number
}

/** What a filled store takes. */
export interface SizeFigures {
  readonly messages: number
  readonly sessions: number
  readonly relations: readonly RelationSize[]
  /** Of the messages as JSON, in characters. */
  readonly characters: number
  /** Milliseconds. */
  readonly writing: number
  readonly building: number
}

/** What grows with a store, in numbers that do not depend on how busy a machine is. */
export interface UpkeepFigures {
  readonly messages: number
  /** Levels of the primary key of messages above its leaves. */
  readonly depth: number | null
  /** Pages of 8 KB that plain inserts of one turn touch. */
  readonly insertPages: number
  /** Bytes of its log. */
  readonly insertLogged: number
  /** Messages whose entries waited to be merged into the indexes of texts, and the milliseconds of merging them. */
  readonly pending: number
  readonly merging: number
  /** Milliseconds of a vacuum of the messages. */
  readonly vacuum: number
}

/** The same messages in SQLite. */
export interface SqliteFigures {
  readonly messages: number
  readonly bytes: number
  readonly writing: number
}

/** Everything that `bench scale` measured. */
export interface ScaleReport {
  readonly command: string
  readonly date: string
  readonly machine: Machine
  readonly node: string
  readonly server: string
  /** Settings of the server that matter, with their values. */
  readonly settings: Readonly<Record<string, string>>
  /** Load of the machine, over a minute, when each step began. */
  readonly load: readonly { readonly step: string; readonly load: number }[]
  readonly seed: number
  readonly sizes: readonly SizeFigures[]
  readonly sqlite: SqliteFigures
  readonly turns: readonly TurnFigures[]
  readonly greps: readonly GrepFigures[]
  readonly upkeep: readonly UpkeepFigures[]
  readonly workers: readonly WorkerFigures[]
}

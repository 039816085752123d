/** A message on its way into a store. `encodeMessage` makes it; a store writes it down as it is. */
export interface EncodedMessage {
  readonly role: string
  /** The host's id of the message, if it has one. */
  readonly hostId?: string
  /** The message as JSON text, exactly as `JSON.stringify` writes what came in. */
  readonly json: string
  /** SHA-256 of `json` in UTF-8, as 64 hexadecimal digits. */
  readonly hash: string
  /** The text for searches: the texts of the content, and the names and arguments of calls, with newlines between. */
  readonly text: string
  /** The message without the texts that stand in `text`. Both together give `json` back (`decodeMessage`). */
  readonly shape: string
  /** Tokens of the whole message, by the counter of the engine that stored it. */
  readonly tokens: number
  /** When it came, in milliseconds since the epoch, if that is known of this message. Default: when it is written. */
  readonly at?: number
  /** An imported message that was forgotten: `json`, `text` and `shape` are empty, and `hash` is that of what it said. */
  readonly forgotten?: { readonly at: number; readonly reason: string }
}

/** A message in a store. Its number never changes and is never given to another message of the session. */
export interface StoredMessage {
  /** Number in its session, from 0. Tools call it `m<seq>`. */
  readonly seq: number
  readonly role: string
  readonly hostId?: string
  /** When it was stored, in milliseconds since the epoch. */
  readonly at: number
  readonly tokens: number
  readonly hash: string
  /** The JSON text that came in, byte for byte. Empty when the message was forgotten. */
  readonly json: string
  /** True when the host edited its history and other messages took the place of this one. */
  readonly replaced: boolean
  /** Why and when its content was deleted on request. */
  readonly forgotten?: { readonly at: number; readonly reason: string }
}

/** Marks that markdown does not read as text, with what must stand before them. */
const SPECIAL =
  /[`*<[]|\\(?=[!-/:-@[-`{-~]|$)|&(?=#?\w{1,31};)|(?<=^|\s)#|^[>+=~|{-]|(?<=^\d{1,9})[.)](?=\s|$)|(?<=\S)#(?=#*$)/g

/** Characters that end a line or that a reader would not see. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu

/** A text on one line, with nothing in it that only a terminal or an editor would notice. */
export function oneLine(text: string): string {
  return text.replace(INVISIBLE, ' ').trim().toWellFormed()
}

/** A text cut to so many characters, and never within one; the cut shows. */
export function cutText(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters - 1).toWellFormed()}…`
}

/** A text as markdown that is read as that text, on one line. */
export function toMarkdown(text: string): string {
  return oneLine(text).replace(SPECIAL, '\\$&')
}

/** A text in quotation marks, as markdown. */
export function quoted(text: string): string {
  return `"${toMarkdown(text).replaceAll('"', '\\"')}"`
}

/** The text of a line of markdown: links without their addresses, marks and escapes gone. Linear. */
export function fromMarkdown(markdown: string): string {
  return oneLine(
    markdown.replace(
      /\\([!-/:-@[-`{-~])|\[([^\][]*)\]\([^()\s]*\)|<!--[^<>]*>|[`*]/g,
      (_match, escaped?: string, label?: string) => escaped ?? label ?? '',
    ),
  )
}

/** A text as a part of a file's name: `use-postgresql`; empty when it has no letter or digit of ASCII. */
export function slugOf(text: string, characters = 60): string {
  return text
    .slice(0, 1_000)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, characters)
    .replace(/^-+|(?<!-)-+$/g, '')
}

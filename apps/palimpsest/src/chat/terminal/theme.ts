import type { EditorTheme, MarkdownTheme, SelectListTheme } from '@earendil-works/pi-tui'
import pc from 'picocolors'

export interface ChatTheme {
  readonly dim: (text: string) => string
  readonly bold: (text: string) => string
  readonly accent: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
  readonly caution: (text: string) => string
  readonly list: SelectListTheme
  readonly editor: EditorTheme
  readonly markdown: MarkdownTheme
}

/** The looks of texts. Without colours every text stands as it is: signs and words carry the meaning, too. */
export function createTheme(colored: boolean): ChatTheme {
  const { dim, bold, cyan, green, red, yellow, italic, underline, strikethrough } = pc.createColors(colored)
  const list: SelectListTheme = {
    selectedPrefix: cyan,
    selectedText: cyan,
    description: dim,
    scrollInfo: dim,
    noMatch: dim,
  }
  return {
    dim,
    bold,
    accent: cyan,
    good: green,
    bad: red,
    caution: yellow,
    list,
    editor: { borderColor: dim, selectList: list },
    markdown: {
      heading: (text) => bold(cyan(text)),
      link: underline,
      linkUrl: dim,
      code: cyan,
      codeBlock: (text) => text,
      codeBlockBorder: dim,
      quote: dim,
      quoteBorder: dim,
      hr: dim,
      listBullet: cyan,
      bold,
      italic,
      strikethrough,
      underline,
    },
  }
}

import {
  CombinedAutocompleteProvider,
  type Component,
  Container,
  Editor,
  isKeyRelease,
  Loader,
  matchesKey,
  SelectList,
  Spacer,
  setCapabilities,
  type Terminal,
  Text,
  TruncatedText,
  TuiMainScreen,
  truncateToWidth,
} from '@earendil-works/pi-tui'
import pc from 'picocolors'
import { CHAT_COMMANDS, type Choice } from './chat-commands.ts'
import { safeLine, safeStart, safeText } from './text.ts'

const SAID = { lines: 20, characters: 4_000 }
const HISTORY_LENGTH = 10_000
const VISIBLE = 8
/**
 * Time in milliseconds during which a new question ignores keys: a key typed for the editor must not allow a command.
 */
export const GRACE_MS = 400

export type Theme = ReturnType<typeof createTheme>

export function createTheme(colored: boolean) {
  const { dim, bold, cyan, green, red, yellow, italic, underline, strikethrough } = pc.createColors(colored)
  const plain = (text: string) => text
  const list = {
    ...{ selectedPrefix: cyan, selectedText: cyan },
    ...{ description: dim, scrollInfo: dim, noMatch: dim },
  }
  const markdown = {
    ...{ heading: (text: string) => bold(cyan(text)), code: cyan, listBullet: cyan },
    ...{ link: underline, linkUrl: dim, codeBlock: plain, codeBlockBorder: dim },
    ...{ quote: dim, quoteBorder: dim, hr: dim, bold, italic, strikethrough, underline },
  }
  const editor = { borderColor: dim, selectList: list }
  return { plain, dim, bold, accent: cyan, good: green, bad: red, caution: yellow, list, editor, markdown }
}

interface ChatScreenInput {
  readonly terminal: Terminal
  readonly theme: Theme
  readonly workspace: string
  readonly onSubmit: (text: string) => void
  readonly onInterrupt: (text: string) => void
  readonly onEscape: () => void
  readonly onEnd: () => void
  readonly onKey: () => void
}

export interface Question {
  readonly title: string
  /** A premature Enter chooses the first. A label that starts with a key and two spaces is chosen by that key. */
  readonly choices: readonly Choice[]
}

export type ChatScreen = ReturnType<typeof createChatScreen>

export function createChatScreen(input: ChatScreenInput) {
  const { terminal, theme, workspace } = input
  // Links show their addresses, and the terminal is not queried.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false })
  const tui = new TuiMainScreen(terminal)
  const [transcript, live, notes, prompt] = [
    new Container(),
    new Container(),
    new Container(),
    new Container(),
  ]
  const footer = new Container()
  const editor = new Editor(tui, theme.editor)
  let loader: Loader | undefined
  let isAsking = false
  let isOn = false
  let wasApart = false

  const commands = CHAT_COMMANDS.map(({ name, argument, help }) => ({
    ...{ name, description: help },
    ...(argument !== undefined && { argumentHint: argument }),
  }))
  editor.setAutocompleteProvider(new CombinedAutocompleteProvider(commands, workspace))
  editor.onSubmit = (text) => {
    if (text === '') return
    remember(text)
    input.onSubmit(text)
  }
  for (const part of [transcript, live, notes, prompt, footer]) tui.addChild(part)
  focus(editor)
  tui.addInputListener((data) => {
    if (isKeyRelease(data) || isAsking) return undefined
    const act = actionOf(data)
    if (act === undefined) input.onKey()
    else act()
    return act === undefined ? undefined : { consume: true }
  })

  function actionOf(data: string): (() => void) | undefined {
    if (matchesKey(data, 'ctrl+c')) return () => input.onInterrupt(editor.getText())
    if (matchesKey(data, 'escape') && !editor.isShowingAutocomplete()) return input.onEscape
    if (matchesKey(data, 'ctrl+d') && editor.getText() === '') return input.onEnd
    return undefined
  }

  function focus(component: Component): void {
    isAsking = component !== editor
    prompt.clear()
    prompt.addChild(component)
    tui.setFocus(component)
    tui.requestRender()
  }

  function remember(text: string): boolean {
    if (text.length > HISTORY_LENGTH) return false
    editor.addToHistory(text)
    return true
  }

  function add(component: Component, isApart = false): void {
    if (isApart || wasApart) transcript.addChild(new Spacer(1))
    wasApart = isApart
    transcript.addChild(component)
    tui.requestRender()
  }

  return {
    add,
    remember,
    print(text: string, tone: 'plain' | 'dim' | 'caution' | 'bad' = 'plain'): void {
      if (text !== '') add(new Text(safeText(text).split('\n').map(theme[tone]).join('\n'), 0, 0))
    },
    said(text: string): void {
      const lines = safeStart(text, SAID).map((line) => theme.bold(`> ${line}`))
      add(new Text(lines.join('\n'), 0, 0), true)
    },
    busy(what: string | undefined): void {
      loader?.stop()
      live.clear()
      loader = what === undefined ? undefined : new Loader(tui, theme.accent, theme.dim, safeLine(what))
      if (loader !== undefined) live.addChild(loader)
      tui.requestRender()
    },
    note(lines: readonly string[]): void {
      notes.clear()
      for (const line of lines) notes.addChild(new TruncatedText(theme.dim(safeLine(line))))
      tui.requestRender()
    },
    footer(line: string): void {
      footer.clear()
      footer.addChild(new TruncatedText(theme.dim(safeLine(line))))
      tui.requestRender()
    },
    /** Undefined after Esc, Ctrl-C or an abort. */
    ask({ title, choices }: Question, signal: AbortSignal): Promise<string | undefined> {
      if (signal.aborted) return Promise.resolve(undefined)
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      const openedAt = Date.now()
      const onEnd = (value: string | undefined) => {
        signal.removeEventListener('abort', onAbort)
        focus(editor)
        resolve(value)
      }
      const onAbort = () => onEnd(undefined)
      signal.addEventListener('abort', onAbort)
      const items = choices.map(({ value, label, hint }) => ({
        ...{ value, label: safeLine(label) },
        ...(hint !== undefined && { description: safeLine(hint) }),
      }))
      const list = new SelectList(items, Math.max(3, Math.min(VISIBLE, terminal.rows - 4)), theme.list)
      list.onSelect = ({ value }) => onEnd(value)
      focus({
        render: (width) => [
          theme.bold(truncateToWidth(safeLine(title), width, '…')),
          ...list.render(width).map((line) => truncateToWidth(line, width, '')),
        ],
        invalidate: () => list.invalidate(),
        handleInput(data) {
          if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) return onEnd(undefined)
          if (Date.now() - openedAt < GRACE_MS) return
          const chosen = choices.find(({ label }) => label.startsWith(`${data}  `))
          if (chosen === undefined) list.handleInput(data)
          else onEnd(chosen.value)
        },
      })
      return promise
    },
    draft(text: string): void {
      const written = editor.getExpandedText()
      editor.setText('')
      // A pasted long text becomes a marker.
      for (const piece of written === '' ? [text] : [`${text}\n`, written])
        editor.handleInput(`\x1b[200~${piece.replaceAll('\x1b', '')}\x1b[201~`)
      tui.requestRender()
    },
    discard(): void {
      remember(editor.getExpandedText())
      editor.setText('')
      tui.requestRender()
    },
    redraw: () => tui.requestRender(),
    start(): void {
      isOn = true
      tui.start()
    },
    stop(): void {
      if (!isOn) return
      isOn = false
      loader?.stop()
      tui.stop()
    },
  }
}

import {
  type Component,
  Container,
  Editor,
  isKeyRelease,
  Loader,
  matchesKey,
  Spacer,
  setCapabilities,
  type Terminal,
  Text,
  TruncatedText,
  TuiMainScreen,
} from '@earendil-works/pi-tui'
import type { ChatCommand } from '../commands/chat-command.ts'
import { ChoiceDialog, type ChoiceDialogInput } from './choice-dialog.ts'
import { completeInput } from './complete-input.ts'
import { Footer, PromptArea } from './prompt-area.ts'
import { safeLine, safeStart, safeText } from './safe-text.ts'
import type { ChatTheme } from './theme.ts'

/** The part of a person's text that is shown again: a pasted file would push everything else away. */
const SAID = { lines: 20, characters: 4_000 }
/** Longer texts are not offered again by the key up: an editor is slow with them. In characters. */
const HISTORY_LENGTH = 10_000

export interface ChatScreenInput {
  readonly terminal: Terminal
  readonly theme: ChatTheme
  readonly commands: readonly ChatCommand[]
  readonly workspace: string
  /** In milliseconds. */
  readonly now: () => number
  readonly onSubmit: (text: string) => void
  /** Ctrl-C outside of a question. `text`: what stands in the editor. */
  readonly onInterrupt: (text: string) => void
  readonly onEscape: () => void
  /** Ctrl-D at an empty prompt. */
  readonly onEnd: () => void
  /** Any other key. */
  readonly onKey: () => void
}

export type Tone = 'plain' | 'dim' | 'caution' | 'bad'

/** The transcript, the work that goes on, the editor and the footer. Makes every text safe that it is given. */
export interface ChatScreen {
  readonly footer: Footer
  print(text: string, tone?: Tone): void
  /** Adds a component, which makes its own texts safe. `isApart`: with a blank line around it. */
  add(component: Component, isApart?: boolean): void
  said(text: string): void
  /** Shows the work that goes on; undefined: none does. */
  busy(what: string | undefined): void
  /** Lines above the editor: what waits to be sent, and hints. */
  note(lines: readonly string[]): void
  ask(
    question: Omit<ChoiceDialogInput, 'now' | 'rows' | 'onEnd'>,
    signal: AbortSignal,
  ): Promise<string | undefined>
  /** Puts a text into the editor, before what stands there. */
  draft(text: string): void
  /** Empties the editor; the key up brings its text back. A text that is too long for that stays, unless it `mayBeLost`; false then. */
  discard(mayBeLost: boolean): boolean
  /** Offers texts that were said before by the key up, the last one first. */
  recall(texts: readonly string[]): void
  redraw(): void
  start(): void
  /** Gives the terminal back. Works at any time, and more than once. */
  stop(): void
}

export function createChatScreen(input: ChatScreenInput): ChatScreen {
  const { terminal, theme, now } = input
  // Addresses of links are shown, not hidden behind their texts, and nothing is asked of the terminal.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false })
  const tui = new TuiMainScreen(terminal)
  const [transcript, live, notes] = [new Container(), new Container(), new Container()]
  const prompt = new PromptArea(terminal)
  const footer = new Footer(theme)
  const editor = createEditor(tui, input)
  const work = createWorkLine(tui, theme, live)
  let isAsking = false
  let isOn = false

  /** Makes it the component that a person types into. */
  const focus = (component: Editor | ChoiceDialog): void => {
    isAsking = component !== editor
    work.wait(isAsking)
    prompt.show(component)
    tui.setFocus(component)
    tui.requestRender()
  }

  for (const part of [transcript, live, notes, prompt, footer]) tui.addChild(part)
  focus(editor)
  tui.addInputListener((data) => {
    if (isKeyRelease(data) || isAsking) return undefined
    const act = actionOf(data, editor, input)
    if (act === undefined) input.onKey()
    else act()
    return act === undefined ? undefined : { consume: true }
  })

  return {
    footer,
    ...createTranscript(tui, theme, transcript),
    ...createDrafts(tui, editor),
    busy: work.set,
    note(lines) {
      notes.clear()
      for (const line of lines) notes.addChild(new TruncatedText(theme.dim(safeLine(line))))
      tui.requestRender()
    },
    ask(question, signal) {
      if (signal.aborted) return Promise.resolve(undefined)
      const { promise, resolve } = Promise.withResolvers<string | undefined>()
      const onAbort = () => onEnd(undefined)
      // At once: the next key is for the editor.
      const onEnd = (value: string | undefined) => {
        signal.removeEventListener('abort', onAbort)
        focus(editor)
        resolve(value)
      }
      signal.addEventListener('abort', onAbort)
      focus(new ChoiceDialog(theme, { ...question, now, rows: terminal.rows, onEnd }))
      return promise
    },
    redraw: () => tui.requestRender(),
    start() {
      isOn = true
      tui.start()
    },
    stop() {
      if (!isOn) return
      isOn = false
      work.stop()
      tui.stop()
    },
  }
}

function createEditor(tui: TuiMainScreen, { theme, commands, workspace, onSubmit }: ChatScreenInput): Editor {
  const editor = new Editor(tui, theme.editor)
  editor.setAutocompleteProvider(completeInput(commands, workspace))
  editor.onSubmit = (text) => {
    if (text === '') return
    remember(editor, text)
    onSubmit(text)
  }
  return editor
}

function actionOf(data: string, editor: Editor, input: ChatScreenInput): (() => void) | undefined {
  // Input that is longer than a key is a paste.
  if (data.length > 32) return undefined
  if (matchesKey(data, 'ctrl+c')) return () => input.onInterrupt(editor.getText())
  if (matchesKey(data, 'escape') && !editor.isShowingAutocomplete()) return input.onEscape
  if (matchesKey(data, 'ctrl+d') && editor.getText() === '') return input.onEnd
  return undefined
}

/** The line that says what goes on. */
function createWorkLine(tui: TuiMainScreen, theme: ChatTheme, live: Container) {
  let loader: Loader | undefined
  let doing = ''
  return {
    set(what: string | undefined): void {
      loader?.stop()
      live.clear()
      doing = safeLine(what ?? '')
      loader = what === undefined ? undefined : new Loader(tui, theme.accent, theme.dim, doing)
      if (loader !== undefined) live.addChild(loader)
      tui.requestRender()
    },
    wait(isAsking: boolean): void {
      loader?.setMessage(isAsking ? 'waits for your answer' : doing)
    },
    stop: (): void => loader?.stop(),
  }
}

function createTranscript(
  tui: TuiMainScreen,
  theme: ChatTheme,
  transcript: Container,
): Pick<ChatScreen, 'print' | 'add' | 'said'> {
  const tones = { plain: (text: string) => text, dim: theme.dim, caution: theme.caution, bad: theme.bad }
  let wasApart = false
  const add: ChatScreen['add'] = (component, isApart = false) => {
    if (isApart || wasApart) transcript.addChild(new Spacer(1))
    wasApart = isApart
    transcript.addChild(component)
    tui.requestRender()
  }
  return {
    add,
    print(text, tone = 'plain') {
      if (text === '') return
      add(new Text(safeText(text).split('\n').map(tones[tone]).join('\n'), 0, 0))
    },
    said(text) {
      const { lines, more } = safeStart(text, SAID)
      const shown = [...lines, ...(more === undefined ? [] : [more])]
      add(new Text(shown.map((line) => theme.bold(`> ${line}`)).join('\n'), 0, 0), true)
    },
  }
}

function createDrafts(tui: TuiMainScreen, editor: Editor): Pick<ChatScreen, 'draft' | 'discard' | 'recall'> {
  return {
    draft(text) {
      const written = editor.getExpandedText()
      editor.setText('')
      // As pastes: a long text becomes a marker.
      for (const piece of written === '' ? [text] : [`${text}\n`, written])
        editor.handleInput(`\x1b[200~${piece.replaceAll('\x1b', '')}\x1b[201~`)
      tui.requestRender()
    },
    discard(mayBeLost) {
      const text = editor.getExpandedText()
      if (!remember(editor, text) && !mayBeLost) return false
      editor.setText('')
      tui.requestRender()
      return true
    },
    recall: (texts) => {
      for (const text of texts) remember(editor, text)
    },
  }
}

/** False for a text that is too long. */
function remember(editor: Editor, text: string): boolean {
  if (text.length > HISTORY_LENGTH) return false
  editor.addToHistory(text)
  return true
}

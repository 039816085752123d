import { createContext, useContext, useState } from 'react'
import type { TextWindow } from './fold-text.ts'

interface KeptState {
  readonly windows: Map<string, TextWindow>
  readonly open: Set<string>
}

export const createKeptState = (): KeptState => ({ windows: new Map(), open: new Set() })

export const KeptStateContext = createContext<KeptState | null>(null)

export function useKeptOpen(name: string): readonly [boolean, (isOpen: boolean) => void] {
  const kept = useContext(KeptStateContext)
  const [isOpen, setOpen] = useState(() => kept?.open.has(name) ?? false)
  const set = (next: boolean) => {
    if (next) kept?.open.add(name)
    else kept?.open.delete(name)
    setOpen(next)
  }
  return [isOpen, set]
}

export function useUnfolded(text: string): readonly [TextWindow | null, (window: TextWindow | null) => void] {
  const kept = useContext(KeptStateContext)
  const [unfolded, setUnfolded] = useState(() => ({ text, window: kept?.windows.get(text) ?? null }))
  const set = (window: TextWindow | null) => {
    if (window === null) kept?.windows.delete(text)
    else kept?.windows.set(text, window)
    setUnfolded({ text, window })
  }
  return [unfolded.text === text ? unfolded.window : null, set]
}

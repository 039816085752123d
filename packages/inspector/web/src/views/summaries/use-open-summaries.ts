import { useCallback, useEffect, useState } from 'react'
import type { SummaryIndex } from './summary-index.ts'

/** Up to so many summaries everything is open from the start. */
const openAll = 40

interface OpenSummaries {
  /** Ids of the summaries whose children are in sight. */
  readonly open: ReadonlySet<string>
  readonly setOpen: (open: ReadonlySet<string>) => void
  readonly toggle: (id: string) => void
}

/** Which summaries are open: all of a few, none of many; and always what leads to the one that is selected. */
export function useOpenSummaries(index: SummaryIndex, selected: string | null): OpenSummaries {
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set(index.byId.size <= openAll ? index.byId.keys() : []),
  )
  const toggle = useCallback((id: string) => {
    setOpen((was) => {
      const next = new Set(was)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  useEffect(() => {
    if (selected === null) return
    const above = index.ancestorsOf(selected)
    setOpen((was) => ([...above].every((id) => was.has(id)) ? was : new Set([...was, ...above])))
  }, [index, selected])
  return { open, setOpen, toggle }
}

import { type RefCallback, useCallback, useState } from 'react'

const bottomRoom = 16

/** The height from an element's top to the end of the window, in pixels, at least `minimum`. */
export function useRemainingHeight(minimum: number): [ref: RefCallback<HTMLElement>, height: number] {
  const [height, setHeight] = useState(minimum)
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (element === null) return
      const measure = () => {
        const top = element.getBoundingClientRect().top + window.scrollY
        setHeight(Math.max(minimum, Math.floor(window.innerHeight - top - bottomRoom)))
      }
      measure()
      // The content above may grow or wrap without a resize of the window.
      const observer = new ResizeObserver(measure)
      observer.observe(document.body)
      window.addEventListener('resize', measure)
      return () => {
        observer.disconnect()
        window.removeEventListener('resize', measure)
      }
    },
    [minimum],
  )
  return [ref, height]
}

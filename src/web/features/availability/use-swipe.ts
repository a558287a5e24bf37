import { type HTMLAttributes, useRef } from 'react'

/** How far a finger or a mouse has to be drawn across, in CSS pixels, and how much more across than along. */
const minDistance = 48

type Swipe = { x: number; y: number; isDone: boolean }

/**
 * Drawing something to the left or right, by finger or mouse, as a shortcut for buttons that do the same. Spread the
 * result on the element; it needs `touch-pan-y` and `touch-pinch-zoom`, so that the page still scrolls and can be enlarged. In an
 * enlarged page it moves what is seen of it.
 */
export function useSwipe(
  onSwipe: (direction: 'left' | 'right') => void,
): Pick<HTMLAttributes<HTMLElement>, 'onPointerDown' | 'onPointerMove' | 'onClickCapture' | 'onDragStart'> {
  const swipe = useRef<Swipe>(undefined)
  return {
    onPointerDown: ({ clientX: x, clientY: y, isPrimary }) => {
      const isEnlarged = (window.visualViewport?.scale ?? 1) > 1.01
      swipe.current = isPrimary && !isEnlarged ? { x, y, isDone: false } : undefined
    },
    onPointerMove: ({ clientX, clientY, buttons }) => {
      const begun = swipe.current
      if (!begun || begun.isDone || buttons === 0) return
      const across = clientX - begun.x
      if (Math.abs(across) < minDistance || Math.abs(across) < 2 * Math.abs(clientY - begun.y)) return
      begun.isDone = true
      onSwipe(across < 0 ? 'left' : 'right')
    },
    // Letting go over a day or a time would choose it.
    onClickCapture: (event) => {
      if (!swipe.current?.isDone) return
      swipe.current = undefined
      event.preventDefault()
      event.stopPropagation()
    },
    onDragStart: (event) => event.preventDefault(),
  }
}

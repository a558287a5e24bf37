/**
 * The `handle` of a route whose page takes the height of the window and scrolls within itself: `always`, `sideways` also in
 * the height of a phone on its side, or only where the window is `wide`. The footer makes room for it.
 */
export type WindowHandle = { fillsWindow: 'always' | 'sideways' | 'wide' }

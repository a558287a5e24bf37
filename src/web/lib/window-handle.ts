/**
 * The `handle` of a route whose page takes the height of the window and scrolls within itself: `always`, or only where the
 * window is `wide`. The footer makes room for it.
 */
export type WindowHandle = { fillsWindow: 'always' | 'wide' }

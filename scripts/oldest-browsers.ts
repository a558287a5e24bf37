/** The oldest versions of browsers that the pages are made for: those that the style sheet needs (decision 0068). */
export const oldestBrowsers = { chrome: '111', firefox: '128', safari: '16.4' }

/** Light, dark, or as the system says: chosen by a button, remembered where the browser lets us. */
import { isDark } from '../scene/stage';
import { button } from './dom';

const KEY = 'abut-theme';

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // a page of the file system may have no storage
  }
}

function apply(theme: string): void {
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // then it lasts as long as the page
  }
  window.dispatchEvent(new Event('abut-theme'));
}

/** The button that changes it. */
export function themeButton(): HTMLButtonElement {
  const known = remembered();
  if (known === 'dark' || known === 'light') document.documentElement.dataset['theme'] = known;
  const made = button('', () => {
    apply(isDark() ? 'light' : 'dark');
    label();
  });
  const label = () => {
    made.textContent = isDark() ? 'Light' : 'Dark';
    made.setAttribute('aria-label', isDark() ? 'Use light colours' : 'Use dark colours');
  };
  made.classList.add('quiet');
  label();
  return made;
}

"""The window as a screen reader finds it (AT-SPI)."""
import functools
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

from desktop import until  # noqa: E402

Role = Atspi.Role
# What one can do something with.
CONTROLS = {Role.PUSH_BUTTON, Role.TOGGLE_BUTTON, Role.CHECK_BOX, Role.RADIO_BUTTON, Role.SLIDER, Role.COMBO_BOX, Role.ENTRY,
            Role.TEXT, Role.MENU_ITEM, Role.CHECK_MENU_ITEM, Role.RADIO_MENU_ITEM, Role.SPIN_BUTTON, Role.LIST_ITEM, Role.LIST}


def steadily(read):
    """Reads once more when a part of the window goes away while it is read."""
    @functools.wraps(read)
    def reads(*arguments):
        for _ in range(50):
            try:
                return read(*arguments)
            except GLib.Error:
                time.sleep(0.05)
        return read(*arguments)
    return reads


def application(pid):
    @steadily
    def find():
        """the player on the accessibility bus"""
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(index)
            if child is not None and child.get_process_id() == pid:
                return child
        return None
    return until(find)


def everything(node, showing=True):
    """The node and what is below it; only what is to be seen."""
    try:
        if showing and node.get_role() not in (Role.APPLICATION,) and not node.get_state_set().contains(Atspi.StateType.VISIBLE):
            return
        yield node
        for index in range(node.get_child_count()):
            child = node.get_child_at_index(index)
            if child is not None:
                yield from everything(child, showing)
    except GLib.Error:
        return  # it has gone meanwhile


def named(root, name, role=None):
    @steadily
    def find():
        for node in everything(root):
            if node.get_name() == name and (role is None or node.get_role() == role):
                return node
        return None
    find.__doc__ = f"something called {name!r}"
    return until(find)


@steadily
def controls(root):
    return [node for node in everything(root) if node.get_role() in CONTROLS]


@steadily
def shows_menu(root):
    return any(node.get_role() in {Role.MENU_ITEM, Role.CHECK_MENU_ITEM, Role.RADIO_MENU_ITEM} for node in everything(root))


@steadily
def texts(root):
    return [node.get_name() for node in everything(root) if node.get_name()]


def name_of(node):
    """What GTK makes of a widget's type is no name."""
    name = node.get_name() or ""
    return "" if name.startswith(("Gtk", "Adw")) else name


@steadily
def nameless(root):
    """Controls that nobody could tell from others. What a control consists of has the name of the control."""
    return [f"{node.get_role_name()} in {node.get_parent().get_role_name()} {node.get_parent().get_name()!r}"
            for node in controls(root) if not name_of(node)
            and not (node.get_parent().get_role() in CONTROLS and name_of(node.get_parent()))]


def press(node):
    node.get_action_iface().do_action(0)


@steadily
def has_focus(root):
    return any(node.get_state_set().contains(Atspi.StateType.FOCUSED) for node in everything(root))


def reach(node, go_on):
    """Goes on until what is to be reached has the keyboard."""
    for _ in range(60):
        if has_focus(node):
            return
        go_on()
    raise AssertionError(f"{node.get_name()} is not reached")

"""Where nbgrader's exchange keeps what students hand in, as its own settings say: the machine's, then the course's."""

from pathlib import Path

from autograder.course import CONFIG_NAME, Course, Trouble


def inbound(course: Course) -> Path:
    """The folder. Raises Trouble where there is none that can be read."""
    from nbgrader.exchange.default import Exchange

    folder = Path(Exchange(config=_settings(course)).root, course.directory.course_id, "inbound")
    try:
        next(folder.iterdir(), None)
    except OSError as error:
        told = f"{folder} cannot be read ({error.strerror}): is `nbgrader release_assignment` run, from this account?"
        raise Trouble(f"{told} An exchange that is no folder, such as ngshare, has `nbgrader collect`.") from None
    return folder


def _settings(course: Course):
    """nbgrader reads the folders of Jupyter's settings, the least important last, and the working folder before all."""
    from jupyter_core.paths import jupyter_config_path
    from traitlets.config import Config
    from traitlets.config.loader import PyFileConfigLoader

    settings = Config()
    for folder in reversed(jupyter_config_path()):
        if Path(folder, CONFIG_NAME).is_file():
            settings.merge(PyFileConfigLoader(CONFIG_NAME, path=folder).load_config())
    settings.merge(course.config)
    return settings

def test_the_version_is_named() -> None:
    import fairtrial

    assert fairtrial.__version__
